import type { Route } from '../route.js'
import { deleteAvatar } from './delete-avatar.js'
import { setAvatar } from './set-avatar.js'

export const picturesRoutes: readonly Route[] = [setAvatar, deleteAvatar]
