import type { SignInMethod } from '../../../shared/resources/sign-in-methods.js'
import type { ClaimMapping } from '../../config/sign-in-settings.js'

/** A person as a provider describes it. */
export interface Identity {
  /** The provider's stable name for clients: `oidc:company`. */
  readonly provider: string
  /** What the provider never gives to another person. */
  readonly subject: string
  readonly email: string
  readonly emailIsVerified: boolean
  /** Empty: the provider does not say. */
  readonly fullName: string
  /** The groups of the person at the provider. Absent: it does not say, so nothing follows for groups and roles here. */
  readonly groups?: readonly string[]
}

/** What every provider has in common. */
export interface Provider {
  readonly name: string
  readonly method: SignInMethod
  /** Whether a person without an account gets one without being asked. */
  readonly autoSignup: boolean
  readonly mapping: ClaimMapping
}

/** Why a provider gave no identity: `away`: it cannot be reached or does not answer in time; `refused`: its answer is not accepted. */
export class ProviderFailure extends Error {
  constructor(
    readonly kind: 'away' | 'refused',
    /** For the log; never shown to the person. */
    message: string,
  ) {
    super(message)
  }
}

/** What the browser keeps between the two steps, signed, so that only the browser that began can finish. */
export interface Beginning {
  /** The address at the provider to which the browser goes. */
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A provider that has a page of its own where the person signs in. */
export interface RedirectingProvider extends Provider {
  /** The provider's id in addresses of this server: `company`. */
  readonly id: string
  /** Text of the button. */
  readonly displayName: string
  /** @throws {ProviderFailure} */
  begin(): Promise<Beginning>
  /**
   * The person that the provider sent back. `query`: of the request, without the question mark.
   * @throws {ProviderFailure}
   */
  finish(query: string, kept: Omit<Beginning, 'url'>): Promise<Identity>
  /**
   * The person whose sessions a logout token of the provider ends, and the token's own id.
   * @throws {ProviderFailure}
   */
  readLogout(token: string, now: Date): Promise<{ readonly subject: string; readonly tokenId: string }>
  /** Whether such a logout ends API keys, too. */
  readonly logoutEndsKeys: boolean
}
