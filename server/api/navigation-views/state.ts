import { readNavigationViews } from '../../store/navigation-views.js'
import type { StatePiece } from '../events/state.js'

export const navigationViewsPiece: StatePiece = {
  fetchType: 'navigation_views',
  read: async ({ actor, tx }) => ({ navigation_views: actor ? await readNavigationViews(tx, actor.user.id) : [] }),
}
