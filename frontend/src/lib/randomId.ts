// Ids that the client makes.

/** A new id. `crypto.randomUUID` is there in secure contexts only; this is there over plain HTTP, too. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (octet) => octet.toString(16).padStart(2, '0')).join('')
}
