import { promoteFullMembers } from '../actions/groups/promote-full-members.js'
import { periodicKind } from './job-kind.js'

/** Makes members full members when their waiting period ends, a minute late at most. Without a query while none is due. */
export const promoteMembers = periodicKind('promote-full-members', '* * * * *', { run: promoteFullMembers })
