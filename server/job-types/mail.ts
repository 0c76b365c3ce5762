import { z } from 'zod'
import { jobType } from './job-type.js'

const kind = <Name extends string, Shape extends z.ZodRawShape>(name: Name, values: Shape) =>
  z.object({ kind: z.literal(name), ...values })

/** What may change in the second factors of an account. */
export const factorChanges = [
  'app_added',
  'app_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'all_removed',
] as const

export type FactorChange = (typeof factorChanges)[number]

/** Why a person gets a mail of missed messages: the first that holds of one of them. */
export const missedReasons = [
  'direct_message',
  'mention',
  'topic_wildcard_in_followed_topic',
  'channel_wildcard_in_followed_topic',
  'topic_wildcard',
  'channel_wildcard',
  'followed_topic',
  'channel',
] as const

export type MissedReason = (typeof missedReasons)[number]

/** `html`: as in `rendered_content`; the mail shows it without pictures and with absolute links. `time`: UNIX seconds. */
const message = { id: z.int(), sender: z.string(), time: z.int(), html: z.string() }

/** `names`: of the other participants; `userIds`: of all. */
const conversation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('direct'), names: z.array(z.string()), userIds: z.array(z.int()) }),
  z.object({ type: z.literal('channel'), channelId: z.int(), channel: z.string(), topic: z.string() }),
])

export type MailConversation = z.output<typeof conversation>

/** What a mail is about, with the values that its template inserts (`server/mail/templates/`). */
const content = z.discriminatedUnion('kind', [
  /** To a new address of `account`: the link with `key` makes it valid. */
  kind('address_confirmation', { account: z.string(), key: z.string() }),
  /** To the former address of an account, which has `address` now. */
  kind('address_changed', { account: z.string(), address: z.string() }),
  /** To an address that `account` wants to have, and that another account has. */
  kind('address_taken', { account: z.string() }),
  /** To the owners: `by` has deactivated the organization. `deletion_due`: when its data are deleted, in ISO 8601; null: never. */
  kind('organization_deactivated', { by: z.string(), deletion_due: z.string().nullable() }),
  /** To the owners: the link with `key` activates the organization again. */
  kind('organization_reactivation', { key: z.string() }),
  /** `comment`: of the administrators; may be blank. */
  kind('deactivation', { account: z.string(), comment: z.string() }),
  /** To the address of an account, for which a person wanted to sign up. */
  kind('account_exists', { account: z.string(), isActive: z.boolean() }),
  /** The link with `key` makes an account of the address. */
  kind('join', { key: z.string() }),
  /** The link with `key` makes an account. `expires`: UNIX seconds; null: never. */
  kind('invitation', { inviter: z.string(), key: z.string(), expires: z.int().nullable() }),
  kind('invitation_reminder', { inviter: z.string(), key: z.string(), expires: z.int().nullable() }),
  /** A person signed in to `account`. `time`: in ISO 8601; `zone`: of the reader, may be empty. */
  kind('sign_in', {
    account: z.string(),
    address: z.string(),
    device: z.string(),
    time: z.string(),
    zone: z.string(),
  }),
  /**
   * Messages of one conversation, the oldest first. `isContext`: it came before a mention, and the reader did not miss it. `others`: missed
   * ones that are not here, because the mail would be too long. `contentHidden`: the setting of the account, or of the organization, that keeps
   * texts and names out of mails. `missed`: ids of all messages that the mail is about; absent from jobs of earlier versions. `namesOrganization`: in the subject. `zone`: of the reader, may be empty. `replyTo`: where answers are read; null:
   * nowhere.
   */
  kind('missed_messages', {
    conversation,
    messages: z.array(z.object({ ...message, isContext: z.boolean() })),
    others: z.int(),
    missed: z.array(z.int()).optional(),
    reason: z.enum(missedReasons),
    contentHidden: z.enum(['account', 'organization']).optional(),
    namesOrganization: z.boolean(),
    zone: z.string(),
    replyTo: z.string().nullable(),
  }),
  /**
   * To a person who was away. `others`: messages of the topic that are not here; `senders`: some who wrote there. A `sender` may be blank,
   * and `html` is null where the message is long.
   */
  kind('digest', {
    topics: z.array(
      z.object({
        channelId: z.int(),
        channel: z.string(),
        topic: z.string(),
        messages: z.array(z.object({ ...message, html: z.string().nullable() })),
        others: z.int(),
        senders: z.array(z.string()),
      }),
    ),
    channels: z.array(z.object({ channelId: z.int(), name: z.string() })),
    moreChannels: z.int(),
    zone: z.string(),
  }),
  /** To a new account: 0 has its data, and 1 to 3 follow in its first week. */
  kind('welcome', { number: z.int().min(0).max(3), account: z.string(), isAdministrator: z.boolean() }),
  kind('new_password', { password: z.string() }),
  /** A second factor of the account has changed; `subject`: the name of a passkey, or blank. */
  kind('factor_change', { account: z.string(), change: z.enum(factorChanges), subject: z.string() }),
  /** The link with the user's id and `key` sets a password. */
  kind('password_link', { account: z.string(), userId: z.int(), key: z.string() }),
  /** To an address for which a person wanted a new password, and that has no active account. */
  kind('password_without_account', { account: z.string(), isDeactivated: z.boolean() }),
  /** To the owners: messages are to be kept for a shorter time. `applies`, `oldest`: in ISO 8601. `channel`: null for direct messages. */
  kind('retention_shortened', {
    applies: z.string(),
    places: z.array(z.object({ channel: z.string().nullable(), days: z.int() })),
    /** Further channels. */
    others: z.int(),
    messages: z.int(),
    oldest: z.string(),
    files: z.int(),
    mib: z.int(),
  }),
  /** To an address for which a person looked for accounts. */
  kind('found_account', { account: z.string(), state: z.enum(['active', 'deactivated', 'none']) }),
])

export type MailContent = z.output<typeof content>
export type MailKind = MailContent['kind']

/** `language`: as in the setting `default_language` of the reader. */
/** `unsubscribe`: the mail has a link by which this account ends mails of the kind. */
const unsubscribe = z.object({ kind: z.enum(['login', 'missed_messages', 'digest', 'welcome']), user_id: z.int() })
const composed = z.object({ to: z.string(), language: z.string(), content, unsubscribe: unsubscribe.optional() })

/** The form in which versions before the templates stored mails; such rows may still wait. */
const finished = z.object({ to: z.string(), subject: z.string(), text: z.string() })

/** A mail to one address. */
export const mail = jobType('mail', z.union([composed, finished]))
