/** Sets a header, on a copy where the response's own cannot be changed: one from fetch or `Response.redirect`. */
export function withHeader(response: Response, name: string, value: string): Response {
  try {
    response.headers.set(name, value);
    return response;
  } catch {
    const { status, statusText, body } = response;
    const headers = new Headers(response.headers);
    headers.set(name, value);
    return new Response(body, { status, statusText, headers });
  }
}
