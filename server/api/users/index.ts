import type { Route } from '../route.js'
import { addAlertWords } from './add-alert-words.js'
import { createUser } from './create-user.js'
import { deactivateOwnUser } from './deactivate-own-user.js'
import { deactivateUser } from './deactivate-user.js'
import { endSessionsOfUser } from './end-sessions-of-user.js'
import { eraseUser } from './erase-user.js'
import { getAlertWords } from './get-alert-words.js'
import { getOwnUser } from './get-own-user.js'
import { getUser } from './get-user.js'
import { getUserByEmail } from './get-user-by-email.js'
import { getUserErasure } from './get-user-erasure.js'
import { getUserStatus } from './get-user-status.js'
import { getUserUploadSpace } from './get-user-upload-space.js'
import { getUsers } from './get-users.js'
import { markOnboardingStep } from './mark-onboarding-step.js'
import { muteUser } from './mute-user.js'
import { reactivateUser } from './reactivate-user.js'
import { removeAlertWords } from './remove-alert-words.js'
import { sendPasswordReset } from './send-password-reset.js'
import { unmuteUser } from './unmute-user.js'
import { updateDoNotDisturb } from './update-do-not-disturb.js'
import { updateSidebar } from './update-sidebar.js'
import { updateStatus } from './update-status.js'
import { updateStatusForUser } from './update-status-for-user.js'
import { updateUser } from './update-user.js'
import { updateUserByEmail } from './update-user-by-email.js'
import { updateUserUploadQuota } from './update-user-upload-quota.js'

export const usersRoutes: readonly Route[] = [
  getUsers,
  getOwnUser,
  getUser,
  getUserByEmail,
  createUser,
  updateUser,
  updateUserByEmail,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  endSessionsOfUser,
  getUserUploadSpace,
  updateUserUploadQuota,
  getUserErasure,
  eraseUser,
  sendPasswordReset,
  getUserStatus,
  updateStatus,
  updateStatusForUser,
  updateDoNotDisturb,
  updateSidebar,
  muteUser,
  unmuteUser,
  getAlertWords,
  addAlertWords,
  removeAlertWords,
  markOnboardingStep,
]
