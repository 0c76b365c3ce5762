import { plainSidebar, sidebar } from '../../../shared/resources/sidebar.js'
import { sidebarOf, sidebarRows } from '../../store/personal/sidebars.js'
import type { StatePiece } from '../state-piece.js'

export const sidebarPiece: StatePiece = {
  fetchType: 'sidebar',
  fields: { sidebar: sidebar.describe('How the user has arranged the sidebar.') },
  selects: [sidebarRows],
  read: async ({ actor, rows }) => ({ sidebar: actor ? sidebarOf(rows.of(sidebarRows)) : plainSidebar }),
}
