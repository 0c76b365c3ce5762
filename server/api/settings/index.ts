import type { Route } from '../route.js'
import { deactivateRealm } from './deactivate-realm.js'
import { getEmojiData } from './get-emoji-data.js'
import { testWelcomeBotMessage } from './test-welcome-bot-message.js'
import { updateDisplaySettings } from './update-display-settings.js'
import { updateNotificationSettings } from './update-notification-settings.js'
import { updateRealm } from './update-realm.js'
import { updateSettings } from './update-settings.js'
import { updateUserSettingsDefaults } from './update-user-settings-defaults.js'
import { zcommand } from './zcommand.js'

export const settingsRoutes: readonly Route[] = [
  getEmojiData,
  updateSettings,
  updateDisplaySettings,
  updateNotificationSettings,
  updateUserSettingsDefaults,
  updateRealm,
  deactivateRealm,
  testWelcomeBotMessage,
  zcommand,
]
