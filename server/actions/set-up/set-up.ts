import { ApiError } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import { isEmpty } from '../../auth/setup-code.js'
import type { WorkerCtx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { member, owner } from '../../policies/roles.js'
import { realmSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import type { PageLanguage } from '../../text/page-language.js'
import { inviteByMail } from '../accounts/invite.js'
import { subscribe } from '../channels/subscribe.js'
import { welcomeNotices } from '../joining/joining-notices.js'
import { addWelcomeMails } from '../joining/welcome-mails.js'
import { inBold } from '../messages/notice-mentions.js'
import { addDomain } from '../organization-lists/domains.js'
import { updateOrganization } from '../settings/update-organization.js'
import { createUser } from '../users/create.js'
import { greetings } from './greeting.js'
import { domainOf, type WayToJoin } from './ways-to-join.js'

/** What the owner of a new organization decides. All texts have been checked. */
export interface SetUp {
  readonly organizationName: string
  readonly fullName: string
  readonly email: string
  readonly password: string
  readonly joining: WayToJoin
  /** Names of channels that every new user is subscribed to. */
  readonly channels: readonly string[]
  /** Addresses that get an invitation. */
  readonly invited: readonly string[]
  /** Of the page, for the settings of the organization. */
  readonly language: PageLanguage
}

/**
 * Makes the owner of an empty organization; then, on the owner's behalf, its name, its rules, its first channels and the invitations. What a failure
 * leaves out the owner can do in the page, or by the API.
 * @throws {ApiError} NOT_FOUND if the organization has an account, BAD_REQUEST
 */
export async function setUp(ctx: WorkerCtx, wanted: SetUp, client: string): Promise<UserRow> {
  const { email, fullName, password, language } = wanted
  const draft = { email, fullName, password, language, role: owner, isQuiet: true }
  const user = await createUser(ctx, draft, directory => {
    if (!isEmpty(directory)) throw new ApiError('NOT_FOUND', 'The organization has been set up.')
  })
  const actor: Actor = { user, client }
  await makeRules(ctx, actor, wanted)
  await welcome(ctx, user)
  await makeChannels(ctx, actor, wanted.channels)
  await greet(ctx, actor, wanted)
  await invite(ctx, actor, wanted.invited)
  return user
}

async function makeRules(
  ctx: WorkerCtx,
  actor: Actor,
  { email, joining, organizationName, language }: SetUp,
): Promise<void> {
  if (joining === 'domain') {
    await addDomain(ctx, actor, { domain: domainOf(email), allow_subdomains: false })
  }
  const values = {
    name: organizationName,
    default_language: language,
    invite_required: joining === 'invitation',
    emails_restricted_to_domains: joining === 'domain',
  }
  await updateOrganization(ctx, actor, { values, permissions: {} })
}

/** The owner is welcomed when the organization has its name. */
async function welcome(ctx: WorkerCtx, user: UserRow): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (_tx, _emit, { after }) => {
    addNotices(after, welcomeNotices(directory, user, realmSetting(directory, 'welcome_message_custom_text')))
    addWelcomeMails(ctx, after, user)
  })
}

async function makeChannels(ctx: WorkerCtx, actor: Actor, names: readonly string[]): Promise<void> {
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

/** New users are announced in the first channel, in which they begin, and a message there says so. */
async function greet(ctx: WorkerCtx, actor: Actor, { channels, organizationName, language }: SetUp): Promise<void> {
  const [name] = channels
  const channel = name === undefined ? undefined : ctx.directory.channelNamed(name)
  if (!channel) return
  await updateOrganization(ctx, actor, { values: { signup_announcements_stream_id: channel.id }, permissions: {} })
  const { topic, content } = greetings[language]
  await ctx.write(async (_tx, _emit, { after }) =>
    addNotices(after, [{ to: { channel: channel.id, topic }, content: content(inBold(organizationName)) }]),
  )
}

const tenDaysMinutes = 14_400

async function invite(ctx: WorkerCtx, actor: Actor, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  await inviteByMail(ctx, actor, {
    addresses: addresses.join(),
    role: member,
    channelIds: [],
    groupIds: [],
    withDefaultChannels: true,
    notifiesInviter: true,
    minutes: tenDaysMinutes,
    welcomeText: null,
  })
}
