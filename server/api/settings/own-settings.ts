import { z } from 'zod'
import type { ChosenSettings } from '../../../shared/resources/user-settings.js'
import { requireOwnSession } from '../../actions/factors/require-no-factor.js'
import { changeSettingsOfOthers, notForOthers } from '../../actions/settings/change-for-others.js'
import { changeOwnSettings } from '../../actions/settings/change-own.js'
import { passwordChange, wrongPassword } from '../../actions/settings/change-password.js'
import { newAddress, startEmailChange } from '../../actions/settings/email-change.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { WorkerCtx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { type Condition, required, withConditions } from '../../params/conditions.js'
import { idList, json, text } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { storedSound } from '../../presenters/user-settings.js'
import { accountEmail, fullName, newPassword } from '../users/account-params.js'
import { settingParams, timezone } from './setting-params.js'

const targets = withConditions(
  z.object({
    user_ids: idList().default([]),
    group_ids: idList(budgets.groupsPerList.most).default([]),
    skip_if_already_edited: z.boolean().default(false),
  }),
  [{ anyOf: ['user_ids', 'group_ids'], refusal: 'user_ids or group_ids must be provided' }],
)

const { default_language, enable_login_emails, enable_marketing_emails, allow_private_data_export, ...first } =
  settingParams

/** Parameters of PATCH /settings and its older names, in the order in which the server checks them. */
export const ownSettingsParams = z.object({
  ...first,
  full_name: fullName().optional().describe('Your name. Ignored if the organization does not allow changes of names.'),
  email: accountEmail()
    .optional()
    .describe('Your new address; it becomes valid when you open the link that the server sends to it.'),
  old_password: text().optional().describe('Your present password.'),
  new_password: newPassword().optional().describe('A new password that is not easy to guess.'),
  default_language,
  timezone: timezone.optional().describe('An IANA name, for example `Europe/Berlin`; empty: none.'),
  enable_login_emails,
  enable_marketing_emails,
  allow_private_data_export,
  target_users: json(targets)
    .optional()
    .describe('For administrators: the users whose settings to change instead, with `user_ids`, `group_ids` or both.'),
})

export const ownSettingsConditions: readonly Condition<keyof typeof ownSettingsParams.shape>[] = [
  {
    when: { target_users: 'given' },
    noneOf: ['full_name', 'email', 'old_password', 'new_password', 'timezone'],
    refusal: notForOthers,
  },
  { when: { new_password: 'given' }, anyOf: ['old_password'], refusal: wrongPassword },
]

type OwnSettingsParams = z.output<typeof ownSettingsParams>

/** @throws {ApiError} UNAUTHORIZED_PRINCIPAL, BAD_REQUEST, RATE_LIMIT_HIT, SECOND_FACTOR_REQUIRED */
export async function updateOwnSettings(ctx: WorkerCtx, actor: Actor, params: OwnSettingsParams): Promise<void> {
  const { full_name, email, old_password, new_password, timezone: zone, target_users, ...given } = params
  const settings = stored(ctx, given)
  if (target_users) {
    administrators(actor)
    return await changeSettingsOfOthers(ctx, actor, target_users, settings)
  }
  await ctx.directory.fresh()
  const user = currentUser(ctx.directory, actor.user)
  const password =
    new_password === undefined
      ? undefined
      : await passwordChange(ctx, user, { old: required(old_password), next: new_password })
  // Who has the mails of the account can set its password.
  if (email !== undefined) await requireOwnSession(ctx, user, actor.sessionId)
  const address = email === undefined ? undefined : await newAddress(ctx, user, email)
  await changeOwnSettings(ctx, actor, { settings, timezone: zone, full_name, password })
  if (address !== undefined) await startEmailChange(ctx, user, address)
}

type Given = Omit<
  OwnSettingsParams,
  'full_name' | 'email' | 'old_password' | 'new_password' | 'timezone' | 'target_users'
>

function stored(ctx: WorkerCtx, given: Given): Partial<ChosenSettings> {
  const { notification_sound: sound } = given
  return sound === undefined ? given : { ...given, notification_sound: storedSound(sound, ctx.config.wireBrand) }
}
