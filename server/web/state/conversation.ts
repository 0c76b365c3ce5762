/** Names a direct conversation: ids of the others, ascending; of a note to oneself one's own. */
export function conversationKey(userIds: readonly number[], me: number): string {
  const others = [...new Set(userIds)].filter(id => id !== me).sort((a, b) => a - b)
  return (others.length > 0 ? others : [me]).join(',')
}

export const peopleOf = (key: string): number[] => key.split(',').map(Number)
