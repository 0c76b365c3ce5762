import { z } from 'zod'
import { isMethodOn, type SignInMethods, takesPasswords } from '../resources/sign-in-methods.js'
import { type AuditedState, changed } from './audit.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

const setting = z.object({
  property: z.string().describe('Name of a setting without `realm_`.'),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
})

const settings = z.object({
  property: z.enum(['default', 'icon', 'logo', 'night_logo']).describe('What changed, if it is a picture.'),
  data: z.record(z.string(), z.unknown()).describe('Names of settings without `realm_`, and their new values.'),
})

const settingsOf = ({ organization: { name, description, is_active, settings } }: AuditedState): object => ({
  name,
  description,
  is_active,
  ...settings,
})

export const realmUpdate = defineEvent('realm/update', {
  doc: 'A setting of the organization changed.',
  fields: setting,
  changesDirectory: true,
  audit: ({ property, value }, before) => changed({}, settingsOf(before), { [property]: value }),
  apply: applyRealmUpdate,
})

export const realmUpdateDict = defineEvent('realm/update_dict', {
  doc: 'Settings of the organization changed.',
  fields: settings,
  changesDirectory: true,
  audit: ({ data }, before) => changed({}, settingsOf(before), data),
  apply: applyRealmUpdateDict,
})

export function applyRealmUpdate(state: ClientState, { property, value }: z.output<typeof setting>): void {
  change(state, property, value)
}

export function applyRealmUpdateDict(state: ClientState, { data }: z.output<typeof settings>): void {
  for (const [name, value] of Object.entries(data)) change(state, name, value)
}

function change(state: ClientState, name: string, value: unknown): void {
  set(state, `realm_${name}`, value)
  // Legacy fields that show the same setting.
  if (name === 'jitsi_server_url' && 'realm_jitsi_server_url' in state) {
    if (value === null) delete (state as Record<string, unknown>).jitsi_server_url
    else Object.assign(state, { jitsi_server_url: value })
  }
  if (name === 'message_edit_history_visibility_policy') set(state, 'realm_allow_edit_history', value !== 'none')
  if (name === 'authentication_methods') {
    set(state, 'realm_email_auth_enabled', isMethodOn(value as SignInMethods, 'Email'))
    set(state, 'realm_password_auth_enabled', takesPasswords(value as SignInMethods))
  }
}

/** Only if the client requested the field. */
function set(state: ClientState, field: string, value: unknown): void {
  if (field in state) Object.assign(state, { [field]: value })
}
