import { z } from 'zod'
import { featureLevel, serverVersion } from '../../../shared/limits.js'
import { isMethodOn, takesPasswords } from '../../../shared/resources/sign-in-methods.js'
import { renderDescription } from '../../actions/descriptions.js'
import { version } from '../../config/version.js'
import type { Ctx } from '../../ctx.js'
import { factorRequirement } from '../../policies/second-factors.js'
import { realmSetting } from '../../policies/settings.js'
import { signInMethods } from '../../policies/sign-in.js'
import { isOpenToWeb } from '../../policies/spectators.js'
import { browserMethod, externalMethods } from '../../presenters/external-methods.js'
import { pictureUrl } from '../../presenters/organization-pictures.js'
import { isAnyFactorSetUp } from '../../store/accounts/factors.js'
import { route } from '../route.js'

/** Authentication methods that clients know of and that this server does not offer. */
const otherMethods = {
  dev: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  discord: false,
} as const

const externalMethod = z.object({
  name: z.string().describe('A stable id: `oidc:` and the id of the provider, or `browser`.'),
  display_name: z.string().describe('Text of the button.'),
  display_icon: z.string().nullable().describe('URL of an image.'),
  login_url: z.string().describe('Path of the page on which a sign-in begins.'),
  signup_url: z.string().describe('The same for a user without an account.'),
})

export const serverSettings = route({
  operation: 'server_settings',
  method: 'GET',
  path: '/server_settings',
  doc: 'Returns what a client needs before a user signs in.',
  allow: 'anyone',
  params: z.object({}),
  returns: z.object({
    authentication_methods: z.record(z.string(), z.boolean()).describe('Whether users can sign in with the method.'),
    service_version: z.string(),
    service_merge_base: z.string(),
    service_feature_level: z.int(),
    server_release: z.string().describe('The version of the server program, of its own releases.'),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_url: z.string(),
    realm_uri: z.string().describe('Older name of `realm_url`.'),
    realm_name: z.string(),
    realm_icon: z.string(),
    realm_description: z.string().describe('HTML.'),
    realm_web_public_access_enabled: z.boolean(),
    external_authentication_methods: z
      .array(externalMethod)
      .describe(
        'Ways to sign in on a page: those of identity providers, and `browser`, the page of this server, where a second factor may be asked for; in the order in which clients show their buttons.',
      ),
  }),
  errors: [],
  isBranded: true,
  async handle({ ctx }) {
    const { directory, config, publicUrl } = ctx
    await directory.fresh()
    const methods = signInMethods(directory, config.signInMethods)
    const byEmail = isMethodOn(methods, 'Email')
    return {
      authentication_methods: {
        password: takesPasswords(methods),
        email: byEmail,
        ldap: isMethodOn(methods, 'LDAP'),
        'openid connect': isMethodOn(methods, 'OpenID Connect'),
        ...otherMethods,
      },
      [`${config.wireBrand}_version`]: serverVersion,
      [`${config.wireBrand}_merge_base`]: serverVersion,
      [`${config.wireBrand}_feature_level`]: featureLevel,
      server_release: version,
      push_notifications_enabled: realmSetting(directory, 'push_notifications_enabled'),
      is_incompatible: false,
      email_auth_enabled: byEmail,
      require_email_format_usernames: config.namesAreAddresses,
      realm_url: publicUrl,
      realm_uri: publicUrl,
      realm_name: directory.organization.name,
      realm_icon: pictureUrl(directory.organization, 'icon'),
      realm_description: renderDescription(ctx, directory.organization.description),
      realm_web_public_access_enabled: isOpenToWeb(directory),
      external_authentication_methods: [
        ...externalMethods(ctx),
        ...((await mayAskForFactor(ctx)) ? [browserMethod] : []),
      ],
    }
  },
})

/** Whether a sign-in in this organization may ask for more than a password, which an app cannot do in its own form. */
const mayAskForFactor = async ({ sql, directory }: Ctx): Promise<boolean> =>
  factorRequirement(directory) !== 'none' || (await isAnyFactorSetUp(sql))
