import { realmUpdate, realmUpdateDict } from '../../../shared/events/realm.js'
import { realmPermissions } from '../../../shared/resources/permission-settings.js'
import type { Ctx } from '../../ctx.js'
import { realmSetting } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import { renderDescription } from '../descriptions.js'

/** Emits each changed value of the organization to all active users: texts, settings, and permissions in their form on the wire. */
export function notifyOfOrganization(ctx: Ctx, emit: Emit, changed: Readonly<Record<string, unknown>>): void {
  const allUserIds = ctx.directory.derived(activeUsers)
  for (const [name, value] of Object.entries(changed)) {
    if (isInDict(name)) {
      const data = { [name]: value, ...shownWith(ctx, name, value) }
      emit(realmUpdateDict, { property: 'default', data }, allUserIds)
    } else {
      const property = name.replace(/^service_/, `${ctx.config.wireBrand}_`)
      emit(realmUpdate, { property, value: value as string | number | boolean | null }, allUserIds)
    }
  }
}

// What else than permissions is emitted as realm/update_dict.
const inDict: readonly string[] = [
  'description',
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'authentication_methods',
  'topics_policy',
  'upload_quota_mib',
]

const isInDict = (name: string): boolean => inDict.includes(name) || name in realmPermissions

/** What clients expect beside a value in its event. */
function shownWith(ctx: Ctx, name: string, value: unknown): Record<string, unknown> {
  switch (name) {
    case 'description':
      return { rendered_description: renderDescription(ctx, value as string) }
    case 'topics_policy':
      return { mandatory_topics: value === 'disable_empty_topic' }
    case 'upload_quota_mib':
      return {
        plan_type: realmSetting(ctx.directory, 'plan_type'),
        max_file_upload_size_mib: ctx.config.maxFileUploadMib,
      }
    default:
      return {}
  }
}
