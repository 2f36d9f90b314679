// Addresses of tables and proofs; a table that is by invitation has it in all of them.

import { query } from './api'

export interface Where {
  id: string
  invitation: string | null
}

export const tableAddress = ({ id, invitation }: Where) => query(`/table/${id}`, { invitation })
export const proofAddress = ({ id, invitation }: Where, roll: number) => query(`/proof/${id}/${roll}`, { invitation })
