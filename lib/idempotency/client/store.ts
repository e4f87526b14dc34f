/** An operation as it is kept until its definitive answer. It holds no credentials. */
export interface PendingOperation {
  /** The caller's own name for the operation, such as an order number. */
  id: string;
  key: string;
  method: string;
  url: string;
  body: string | null;
  contentType: string;
  /** Epoch ms by the client's clock: when the key was made. */
  startedAt: number;
}

/** Where pending operations are kept. `save` must be durable when it resolves: the first send follows it. */
export interface OperationStore {
  load(id: string): Promise<PendingOperation | null>;
  save(operation: PendingOperation): Promise<void>;
  remove(id: string): Promise<void>;
  list(): Promise<PendingOperation[]>;
}

/** For tests: a restart forgets everything. */
export function memoryStore(): OperationStore {
  const operations = new Map<string, PendingOperation>();
  return {
    load: async (id) => operations.get(id) ?? null,
    save: async (operation) => void operations.set(operation.id, operation),
    remove: async (id) => void operations.delete(id),
    list: async () => [...operations.values()],
  };
}

/** Keeps operations in the browser's storage, so that a reload sends the same key again. */
export function browserStore(storage: Storage = localStorage, prefix = "idempotency:"): OperationStore {
  const read = (name: string): PendingOperation | null => JSON.parse(storage.getItem(name) ?? "null");
  return {
    load: async (id) => read(prefix + id),
    save: async (operation) => storage.setItem(prefix + operation.id, JSON.stringify(operation)),
    remove: async (id) => storage.removeItem(prefix + id),
    async list() {
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
      return names
        .filter((name) => name.startsWith(prefix))
        .map(read)
        .filter((operation) => operation !== null);
    },
  };
}
