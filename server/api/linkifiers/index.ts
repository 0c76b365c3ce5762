import type { Route } from '../route.js'
import { addLinkifier } from './add-linkifier.js'
import { getLinkifiers } from './get-linkifiers.js'
import { removeLinkifier } from './remove-linkifier.js'
import { reorderLinkifiers } from './reorder-linkifiers.js'
import { updateLinkifier } from './update-linkifier.js'

export const linkifiersRoutes: readonly Route[] = [
  getLinkifiers,
  addLinkifier,
  updateLinkifier,
  removeLinkifier,
  reorderLinkifiers,
]
