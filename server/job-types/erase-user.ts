import { z } from 'zod'
import { jobType } from './job-type.js'

/** What happens with the messages of a person who is erased: `keep` under the name "Deleted user". */
export const messagesOfErased = ['keep', 'delete'] as const

/** An account without profile: everything else that belongs to its person is erased (docs/erasure.md). */
export const eraseUser = jobType('erase-user', z.object({ user_id: z.int(), messages: z.enum(messagesOfErased) }))

/** One erasure of a person runs at a time. */
export const erasureKey = (userId: number): string => `erasure ${userId}`

export type Erasure = z.output<typeof eraseUser.payload>
