// The rules by which the server refuses a change of a message and a post, and by which a client offers neither. Ages and limits are in
// seconds; null: no limit.

interface EditFacts {
  readonly isOwn: boolean
  /** Whether the organization allows to edit messages. */
  readonly isAllowed: boolean
  readonly age: number
  readonly limit: number | null
}

export type EditObstacle = 'notOwn' | 'off' | 'late'

/** Why a user may not edit a message; undefined: the user may. */
export function editObstacle({ isOwn, isAllowed, age, limit }: EditFacts): EditObstacle | undefined {
  if (!isOwn) return 'notOwn'
  if (!isAllowed) return 'off'
  return limit !== null && age > limit ? 'late' : undefined
}

interface DeleteFacts {
  readonly mayDeleteAny: boolean
  /** Whether the message is the user's or of one of the user's bots, and the user may delete own messages. */
  readonly mayDeleteOwn: boolean
  readonly age: number
  readonly limit: number | null
}

export type DeleteObstacle = 'permission' | 'late'

/** Why a user may not delete a message; undefined: the user may. */
export function deleteObstacle({ mayDeleteAny, mayDeleteOwn, age, limit }: DeleteFacts): DeleteObstacle | undefined {
  if (mayDeleteAny) return undefined
  if (!mayDeleteOwn) return 'permission'
  return limit !== null && age > limit ? 'late' : undefined
}

interface PostFacts {
  readonly isArchived: boolean
  /** Whether the user is subscribed to the channel, or may read it without that. */
  readonly reaches: boolean
  readonly mayWrite: boolean
}

export type PostObstacle = 'archived' | 'access' | 'permission'

/** Why a user may not post in a channel; undefined: the user may. */
export function postObstacle({ isArchived, reaches, mayWrite }: PostFacts): PostObstacle | undefined {
  if (isArchived) return 'archived'
  if (!reaches) return 'access'
  return mayWrite ? undefined : 'permission'
}
