import type { UserRow } from '../../store/users/users.js'
import { plainMarkdown } from '../../text/quote.js'

/** A mention of a user that does not notify the user. */
export const silently = ({ full_name, id }: Pick<UserRow, 'full_name' | 'id'>): string => `@_**${full_name}|${id}**`

/** A mention of a user that notifies the user. */
export const mention = ({ full_name, id }: Pick<UserRow, 'full_name' | 'id'>): string => `@**${full_name}|${id}**`

/** A name in bold, for a channel's former name and for other names that users choose; as code if it contains markup. */
export const inBold = (name: string): string => (/[*`[\]<\\@#]/.test(name) ? plainMarkdown(name) : `**${name}**`)
