// The rulebook that is selected when a page opens.

const DEFAULT_BOOK = 'new_jersey'

/** Return the requested book if it exists, otherwise the default. While the list of books is empty, any id is accepted. */
export function initialBook(requested: string | null, books: { id: string }[]): string {
  const exists = (id: string) => !books.length || books.some((book) => book.id === id)
  return [requested, DEFAULT_BOOK].find((id) => id && exists(id)) ?? books[0]?.id ?? DEFAULT_BOOK
}
