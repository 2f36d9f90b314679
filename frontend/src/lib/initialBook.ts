// Which book a page begins with.

/** The book that most begin with. */
const USUAL = 'new_jersey'

/** The id of the book to begin with: the one that was asked for, or the usual one; before the books are known, any is believed. */
export function firstBook(wanted: string | null, books: { id: string }[]): string {
  const isThere = (id: string) => !books.length || books.some((one) => one.id === id)
  return [wanted, USUAL].find((id) => id && isThere(id)) ?? books[0]?.id ?? USUAL
}
