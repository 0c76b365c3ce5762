import type { z } from 'zod'
import { type Sidebar, sidebar } from '../resources/sidebar.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

const fields = sidebar

export const sidebarEvent = defineEvent('sidebar', {
  doc: 'The receiver arranged the sidebar; the event contains all of it.',
  fields,
  apply: applySidebar,
})

export function applySidebar(
  state: ClientState & { sidebar?: Sidebar },
  { sections, collapsed, pinned_channels, unread_only }: z.output<typeof fields>,
): void {
  if (state.sidebar) state.sidebar = { sections, collapsed, pinned_channels, unread_only }
}
