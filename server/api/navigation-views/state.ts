import { z } from 'zod'
import { navigationView } from '../../../shared/resources/navigation-view.js'
import { readNavigationViews } from '../../store/personal/navigation-views.js'
import type { StatePiece } from '../state-piece.js'

export const navigationViewsPiece: StatePiece = {
  fetchType: 'navigation_views',
  fields: { navigation_views: z.array(navigationView) },
  read: async ({ actor, tx }) => ({ navigation_views: actor ? await readNavigationViews(tx, actor.user.id) : [] }),
}
