import type { LdapSettings } from '../../../config/sign-in-settings.js'
import type { Provider } from '../provider.js'
import { LdapConnection } from './ldap-connection.js'

/** Sign-in with a name and a password of a directory. */
export class Ldap implements Provider {
  readonly name = 'ldap'
  readonly method = 'LDAP'
  readonly autoSignup: boolean

  constructor(private readonly settings: LdapSettings) {
    this.autoSignup = settings.auto_signup
  }

  get mapping() {
    return this.settings
  }

  /** The caller closes the connection. @throws {ProviderFailure} `away` */
  open(): Promise<LdapConnection> {
    return LdapConnection.open(this.settings, this.name)
  }
}
