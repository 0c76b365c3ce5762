import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isLoopback } from './addresses.js'

// What the settings OIDC_PROVIDERS and LDAP_DIRECTORY hold (docs/sign-in.md).

/** A role by its name in these settings, and its number (docs/protocol/permissions.md#roles). */
const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
const role = z.enum(['owner', 'administrator', 'moderator', 'member', 'guest']).transform(name => roles[name])

const text = z.string().min(1).max(1000)
const attribute = (byDefault: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, 'must be the name of an attribute')
    .default(byDefault)

/** What the groups of a person at a provider mean here: names of user groups, and roles, by the provider's name of the group. */
const mapping = {
  groups: z.record(z.string(), text).default({}),
  roles: z.record(z.string(), role).default({}),
}

const isProtected = (url: string, scheme: string): boolean =>
  URL.canParse(url) && (new URL(url).protocol === scheme || isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')))

const openIdConnect = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,29}$/, 'must consist of lower-case letters, digits and hyphens'),
    name: z.string().min(1).max(60),
    icon: z
      .url({ protocol: /^https$/, error: 'must be an https address' })
      .max(500)
      .nullable()
      .default(null),
    issuer: z.string().refine(url => isProtected(url, 'https:'), 'must be an https address'),
    client_id: text,
    client_secret: text.optional(),
    client_secret_file: text.optional(),
    scopes: z.array(text).default(['openid', 'email', 'profile']),
    auto_signup: z.boolean().default(false),
    email_is_verified: z.boolean().default(false),
    groups_claim: text.default('groups'),
    ...mapping,
    logout_ends_keys: z.boolean().default(false),
  })
  .refine(({ scopes }) => scopes.includes('openid'), { path: ['scopes'], error: 'must contain openid' })
  .transform(({ client_secret, client_secret_file, ...provider }, context) => ({
    ...provider,
    client_secret: secretOf(client_secret, client_secret_file, 'client_secret', context),
  }))

const providers = z
  .array(openIdConnect)
  .min(1)
  .max(20)
  .refine(list => new Set(list.map(({ id }) => id)).size === list.length, 'has two providers with one id')

const ldap = z
  .strictObject({
    url: z.string().regex(/^ldaps?:\/\//, 'must be an ldap or ldaps address'),
    start_tls: z.boolean().default(false),
    bind_dn: text,
    bind_password: text.optional(),
    bind_password_file: text.optional(),
    base_dn: text,
    user_attribute: attribute('mail'),
    user_class: attribute('inetOrgPerson'),
    subject_attribute: attribute('entryUUID'),
    email_attribute: attribute('mail'),
    name_attribute: attribute('cn'),
    group_base_dn: text.optional(),
    group_class: attribute('groupOfNames'),
    member_attribute: attribute('member'),
    auto_signup: z.boolean().default(false),
    ...mapping,
  })
  .refine(({ url, start_tls }) => start_tls || isProtected(url, 'ldaps:'), {
    path: ['url'],
    error: 'must be an ldaps address, or start_tls be true',
  })
  .transform(({ bind_password, bind_password_file, ...directory }, context) => ({
    ...directory,
    bind_password: secretOf(bind_password, bind_password_file, 'bind_password', context),
  }))

export type OpenIdConnectSettings = z.output<typeof openIdConnect>
export type LdapSettings = z.output<typeof ldap>

/** What the groups of a person at a provider mean here. */
export interface ClaimMapping {
  /** Names of user groups, by the provider's name. */
  readonly groups: Readonly<Record<string, string>>
  /** Roles as numbers, by the provider's name. */
  readonly roles: Readonly<Record<string, number>>
}

function secretOf(
  value: string | undefined,
  file: string | undefined,
  name: string,
  context: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
): string {
  const refuse = (message: string, path = name): string => {
    context.addIssue({ code: 'custom', message, path: [path] })
    return ''
  }
  if (file === undefined) return value ?? refuse('is missing')
  if (value !== undefined) return refuse(`is there twice: remove it or ${name}_file`)
  try {
    const secret = readFileSync(file, 'utf8').trim()
    return secret === '' ? refuse('names an empty file', `${name}_file`) : secret
  } catch (error) {
    return refuse(`cannot be read: ${(error as NodeJS.ErrnoException).code}`, `${name}_file`)
  }
}

/** Settings with a structure: JSON, or the path of a file that holds it. The messages never repeat a value, which may be a secret. */
const structured = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .optional()
    .transform((given, context): z.output<Schema> | undefined => {
      if (!given) return undefined
      const found = contentOf(given)
      if ('problem' in found) context.addIssue({ code: 'custom', message: found.problem })
      const { success, data, error } = schema.safeParse('value' in found ? found.value : undefined)
      if (success) return data
      const issue = error.issues[0]
      const where = issue?.path.join('.') || 'its value'
      if ('value' in found) context.addIssue({ code: 'custom', message: `is wrong: ${where} ${issue?.message}` })
      return undefined
    })

function contentOf(given: string): { readonly value: unknown } | { readonly problem: string } {
  let json = given
  if (!/^\s*[[{]/.test(given)) {
    try {
      json = readFileSync(given, 'utf8')
    } catch (error) {
      return { problem: `names a file that cannot be read: ${(error as NodeJS.ErrnoException).code}` }
    }
  }
  try {
    return { value: JSON.parse(json) }
  } catch {
    return { problem: 'is no JSON' }
  }
}

/** Settings of the ways to sign in beside the password. */
export const signInSettings = {
  OIDC_PROVIDERS: structured(providers),
  LDAP_DIRECTORY: structured(ldap),
}
