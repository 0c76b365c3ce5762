import type { Route } from '../route.js'
import { deleteAvatar } from './delete-avatar.js'
import { deleteRealmIcon } from './delete-realm-icon.js'
import { deleteRealmLogo } from './delete-realm-logo.js'
import { getRealmIcon } from './get-realm-icon.js'
import { getRealmLogo } from './get-realm-logo.js'
import { setAvatar } from './set-avatar.js'
import { uploadRealmIcon } from './upload-realm-icon.js'
import { uploadRealmLogo } from './upload-realm-logo.js'

export const picturesRoutes: readonly Route[] = [
  setAvatar,
  deleteAvatar,
  getRealmIcon,
  uploadRealmIcon,
  deleteRealmIcon,
  getRealmLogo,
  uploadRealmLogo,
  deleteRealmLogo,
]
