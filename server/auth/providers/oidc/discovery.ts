import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { OpenIdConnectSettings } from '../../../config/sign-in-settings.js'
import { fetchShortly } from './fetch-shortly.js'

// Of each request to the provider.
const requestSeconds = 5
const attempts = 2
const pauseMs = 200
// A provider may move its endpoints; keys that it signs with are fetched again by themselves.
const validMs = 3_600_000

/**
 * What a provider says of itself, asked at its first use: a start does not depend on it. Requests that arrive meanwhile wait for the same
 * answer. A failure is not kept: the next request asks again.
 */
export class Discovery {
  private asked: Promise<Configuration> | undefined
  private until = 0

  constructor(private readonly settings: OpenIdConnectSettings) {}

  /** @throws an error of openid-client or of the network, at most `attempts` times `requestSeconds` later */
  get(): Promise<Configuration> {
    if (this.asked && performance.now() < this.until) return this.asked
    this.until = performance.now() + validMs
    this.asked = this.ask(attempts).catch(error => {
      this.until = 0
      throw error
    })
    return this.asked
  }

  /** What was asked may be out of date, such as the provider's keys: the next request asks again. */
  forget(): void {
    this.until = 0
  }

  private async ask(left: number): Promise<Configuration> {
    const { issuer, client_id, client_secret } = this.settings
    try {
      return await discovery(new URL(issuer), client_id, client_secret, undefined, {
        timeout: requestSeconds,
        [customFetch]: fetchShortly,
        // The signature of an ID token is checked although it came from the provider itself by TLS. The settings allow plain HTTP only for
        // a provider on this machine.
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      })
    } catch (error) {
      if (left <= 1) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      return this.ask(left - 1)
    }
  }
}
