import type { Directory } from '../memory/directory.js'
import { realmSetting, userSetting } from '../policies/settings.js'
import type { UserRow } from '../store/users/users.js'
import { type PageLanguage, pageLanguage } from '../text/page-language.js'

/** The language of a message to one person: that of its account. `reader`: undefined if the account is unknown. */
export const languageOfReader = (directory: Directory, reader: UserRow | undefined): PageLanguage =>
  reader ? pageLanguage('', userSetting(reader, 'default_language')) : languageOfChannels(directory)

/** The language of a message in a channel: that of the organization, because its readers have several. */
export const languageOfChannels = (directory: Directory): PageLanguage =>
  pageLanguage('', realmSetting(directory, 'default_language'))
