import { mayChangeSetting } from '../../state/organization-rights.js'
import type { Chat } from '../chat.js'
import type { Saving } from '../dialogs/saving.js'
import type { Row, Value } from './rows.js'

const paths = { own: '/settings', organization: '/realm', newUsers: '/realm/user_settings_defaults' } as const

/** The present value of a setting. */
export function presentValue({ state }: Chat, { scope, name }: Row): unknown {
  if (scope === 'organization') return (state as unknown as Record<string, unknown>)[`realm_${name}`]
  const settings: object = scope === 'own' ? state.user_settings : state.realm_user_settings_defaults
  return (settings as Record<string, unknown>)[name]
}

/** Whether the server would accept another value from this user. */
export const mayChange = ({ state }: Chat, { scope, name }: Row): boolean =>
  scope === 'own' || mayChangeSetting(state, name)

/** The word of the API for no limit, where the state has null or -1. */
const unlimited = 'unlimited'
const isUnlimited = (name: string, value: unknown): boolean =>
  (value === null && (name.endsWith('_limit_seconds') || name === 'upload_quota_mib')) ||
  (value === -1 && name === 'message_retention_days')

/** A value as the API writes it. */
function sentValue(name: string, value: Value | undefined): Value | undefined {
  if (isUnlimited(name, value)) return unlimited
  return name === 'jitsi_server_url' && value === '' ? 'default' : value
}

/** False: the server has refused the value. */
export const saveValue = ({ save }: Saving, { scope, name }: Row, value: Value | undefined): Promise<boolean> =>
  save('PATCH', paths[scope], { [name]: sentValue(name, value) })
