/** The key of a direct conversation: the ids of the other participants, ascending; the user's id for notes to itself. */
export function conversationKey(userIds: readonly number[], me: number): string {
  const others = [...new Set(userIds)].filter(id => id !== me).sort((a, b) => a - b)
  return (others.length > 0 ? others : [me]).join(',')
}

export const peopleOf = (key: string): number[] => key.split(',').map(Number)
