import { z } from 'zod'
import { navigationView } from '../../../shared/resources/navigation-view.js'
import { navigationViewOf, navigationViewRows } from '../../store/personal/navigation-views.js'
import type { StatePiece } from '../state-piece.js'

export const navigationViewsPiece: StatePiece = {
  fetchType: 'navigation_views',
  fields: { navigation_views: z.array(navigationView) },
  selects: [navigationViewRows],
  read: async ({ actor, rows }) => ({
    navigation_views: actor ? rows.of(navigationViewRows).map(navigationViewOf) : [],
  }),
}
