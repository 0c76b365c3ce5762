import { type LogLevel, WebClient } from '@slack/web-api'
import type { Person } from '../../support/people.js'

interface Called {
  readonly token?: string
  readonly args?: object
  readonly body?: string
  readonly type?: string
}

/** A call of a method as no program of Slack makes it. */
export async function callSlack(
  { url }: { readonly url: string },
  method: string,
  { token, args = {}, body = JSON.stringify(args), type = 'application/json' }: Called,
) {
  const response = await fetch(`${url}/slack/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body,
  })
  const answer = (await response.json()) as { readonly ok: boolean; readonly error?: string; readonly url: string }
  return { status: response.status, headers: response.headers, body: answer }
}

/** Slack's own client, with another address alone. It tries nothing twice, so that a refusal ends a test. */
export const slackClient = ({ url }: { readonly url: string }, { api_key }: Pick<Person, 'api_key'>): WebClient =>
  new WebClient(`xoxb-${api_key}`, {
    slackApiUrl: `${url}/slack/api/`,
    retryConfig: { retries: 0 },
    logLevel: 'error' as LogLevel,
  })

/** Slack's name of the error with which a call ends. */
export async function errorOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (thrown) {
    return (thrown as { data?: { error?: string } }).data?.error ?? String(thrown)
  }
}
