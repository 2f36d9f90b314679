// The URLs of tables and proofs. They include the invitation of a private table.

import { withQuery } from './api'

export interface TableRef {
  id: string
  invitation: string | null
}

export const tableUrl = ({ id, invitation }: TableRef) => withQuery(`/table/${id}`, { invitation })
export const proofUrl = ({ id, invitation }: TableRef, roll: number) =>
  withQuery(`/proof/${id}/${roll}`, { invitation })
