// Ids made by the client.

/** Return a random id. `crypto.randomUUID` needs a secure context; this also works over plain HTTP. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
