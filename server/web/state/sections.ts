import type { Sidebar } from '../../../shared/resources/sidebar.js'
import type { ChatState } from './chat-state.js'

/** A part of the sidebar with a heading: pinned channels, direct messages, channels without a folder, the channels of a folder. */
export type Section = 'pinned' | 'direct' | 'channels' | `folder:${number}`

/** The sidebar as the user has arranged it, with changes that the server has not confirmed yet. */
export const arrangementOf = ({ sidebar, arranging }: ChatState): Sidebar => ({ ...sidebar, ...arranging })

/** Changes of the sidebar without those parts that still have these values. */
export const withoutParts = (changes: Partial<Sidebar>, parts: Partial<Sidebar>): Partial<Sidebar> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => {
      const done = parts[name as keyof Sidebar]
      return done === undefined || JSON.stringify(done) !== JSON.stringify(value)
    }),
  )

/** The folder of a section. */
export const folderOf = (state: ChatState, section: Section) =>
  state.channel_folders.find(folder => section === `folder:${folder.id}`)

/** Direct messages are above the channels, because these may be many. */
const initialOrder = (state: ChatState): Section[] => [
  'pinned',
  'direct',
  'channels',
  ...state.channel_folders.map(({ id }) => `folder:${id}` as const),
]

/** All sections in the user's order. One without a place of its own, such as a new folder, follows the one that it follows at first. */
export function sectionsInOrder(state: ChatState): Section[] {
  const initial = initialOrder(state)
  const known = new Set<string>(initial)
  const order = arrangementOf(state).sections.filter((section): section is Section => known.has(section))
  for (const [index, section] of initial.entries())
    if (!order.includes(section)) order.splice(index && order.indexOf(initial[index - 1] as Section) + 1, 0, section)
  return order
}

/** The order in which a section has the place of another one. */
export const sectionMoved = (state: ChatState, section: Section, target: Section): Section[] =>
  moved(sectionsInOrder(state), section, target)

/** The list with an item at the place of another one; unchanged if one of them is not in it. */
export function moved<Item>(items: readonly Item[], item: Item, target: Item): Item[] {
  const order = [...items]
  const [from, to] = [order.indexOf(item), order.indexOf(target)]
  if (from >= 0 && to >= 0) order.splice(to, 0, ...order.splice(from, 1))
  return order
}

/** The collapsed sections when one is collapsed or opened; folders that are gone are left out. */
export function collapsedWith(state: ChatState, section: Section, isCollapsed: boolean): Section[] {
  const collapsed = new Set<string>(arrangementOf(state).collapsed)
  if (isCollapsed) collapsed.add(section)
  else collapsed.delete(section)
  return sectionsInOrder(state).filter(one => collapsed.has(one))
}
