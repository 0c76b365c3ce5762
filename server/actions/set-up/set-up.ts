import { ApiError } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { isEmpty } from '../../auth/setup-code.js'
import type { Ctx } from '../../ctx.js'
import { owner } from '../../policies/roles.js'
import type { UserRow } from '../../store/users/users.js'
import { subscribe } from '../channels/subscribe.js'
import { addDomain } from '../organization-lists/domains.js'
import { updateOrganization } from '../settings/update-organization.js'
import { createUser } from '../users/create.js'

/** How people join a new organization: by invitation, with an address of the owner's domain, or as they like. */
export const waysToJoin = ['invitation', 'domain', 'open'] as const

/** What the owner of a new organization decides. All texts have been checked. */
export interface SetUp {
  readonly organizationName: string
  readonly fullName: string
  readonly email: string
  readonly password: string
  readonly joining: (typeof waysToJoin)[number]
  /** Names of channels that every new user is subscribed to. */
  readonly channels: readonly string[]
  /** Of the page, for the settings of the organization. */
  readonly language: string
}

/**
 * Makes the owner of an empty organization; then, on the owner's behalf, its name, its rules and its first channels. What a failure leaves out the
 * owner can do in the page, or by the API.
 * @throws {ApiError} NOT_FOUND if the organization has an account, BAD_REQUEST
 */
export async function setUp(ctx: Ctx, wanted: SetUp, client: string): Promise<UserRow> {
  const { email, fullName, password } = wanted
  const user = await createUser(ctx, { email, fullName, password, role: owner }, directory => {
    if (!isEmpty(directory)) throw new ApiError('NOT_FOUND', 'The organization has been set up.')
  })
  const actor: Actor = { user, client }
  await makeRules(ctx, actor, wanted)
  await makeChannels(ctx, actor, wanted.channels)
  return user
}

async function makeRules(ctx: Ctx, actor: Actor, { email, joining, organizationName, language }: SetUp): Promise<void> {
  if (joining === 'domain') {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    await addDomain(ctx, actor, { domain, allow_subdomains: false })
  }
  const values = {
    name: organizationName,
    default_language: language,
    invite_required: joining === 'invitation',
    emails_restricted_to_domains: joining === 'domain',
  }
  await updateOrganization(ctx, actor, { values, permissions: {} })
}

async function makeChannels(ctx: Ctx, actor: Actor, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await subscribe(ctx, actor, {
    channels: names.map(name => ({ name, description: '', color: null })),
    principals: [],
    authorizationErrorsFatal: true,
    settings: {
      invite_only: false,
      is_web_public: false,
      is_default_stream: true,
      message_retention_days: null,
      groups: {},
    },
  })
}
