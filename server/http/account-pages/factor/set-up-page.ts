import { ApiError } from '../../../../shared/errors.js'
import { type AppSetUp, addApp, beginApp, resumedApp } from '../../../actions/factors/authenticator-app.js'
import { factorsOf, hasFactor } from '../../../store/accounts/factors.js'
import { accountPage, type PageAnswer, redirectTo } from '../account-page.js'
import type { AccountPage, PageCall } from '../add-account-page.js'
import { html } from '../html.js'
import { factorTexts } from './factor-texts.js'
import { finishPending, type PendingSignIn, pendingSignIn, provenCookie } from './pending.js'

/** Where a person sets up the second factor that the organization requires, between the right password and the session. */
export const setUpPath = '/accounts/login/factor/setup/'

export const setUpPage: AccountPage = {
  pattern: setUpPath,
  operation: 'set_up_second_factor',
  async get(call) {
    const pending = await withoutFactor(call)
    return pending ? shown(call, beginApp(call.ctx, pending.user)) : redirectTo('/login/')
  },
  async post(call, form) {
    const proven = await pendingSignIn(call)
    // The codes were shown: the sign-in ends.
    if (proven?.isProven) return finishPending(call, proven, 'code')
    const pending = await withoutFactor(call)
    if (!pending) return redirectTo('/login/')
    const [setup, code] = [form.get('setup') ?? '', form.get('code') ?? '']
    try {
      return await codesPage(call, pending, await addApp(call.ctx, pending.user, { setup, code }))
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'BAD_REQUEST') throw thrown
      const app = resumedApp(call.ctx, pending.user, setup) ?? beginApp(call.ctx, pending.user)
      return shown(call, app, true)
    }
  },
}

/** A sign-in under way of an account that has no second factor yet. */
async function withoutFactor(call: PageCall): Promise<PendingSignIn | undefined> {
  const pending = await pendingSignIn(call)
  return pending && !hasFactor(await factorsOf(call.ctx.sql, pending.user.id)) ? pending : undefined
}

function shown({ ctx, language }: PageCall, { secret, qr, setup }: AppSetUp, isWrong = false): PageAnswer {
  const texts = factorTexts[language]
  const body = html`<p>${texts.setUpSays}</p>
${isWrong && html`<p class="notice bad" role="alert">${texts.wrong}</p>`}
<svg class="qr" viewBox="0 0 ${qr.size} ${qr.size}" role="img" aria-label="${texts.qrCode}"><path d="${qr.path}"/></svg>
<p class="hint">${texts.secret} <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="${setUpPath}">
<input type="hidden" name="setup" value="${setup}">
<label class="field">${texts.code}
<input class="input" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="10" required autofocus></label>
<button class="button primary">${texts.submit}</button>
</form>`
  return accountPage(ctx, { title: texts.setUpTitle, language, body })
}

async function codesPage(
  { ctx, language }: PageCall,
  pending: PendingSignIn,
  codes: readonly string[],
): Promise<PageAnswer> {
  const texts = factorTexts[language]
  const body = html`<p>${texts.codesSay}</p>
<ul class="codes">${codes.map(code => html`<li><code>${code}</code></li>`)}</ul>
<form method="post" action="${setUpPath}">
<button class="button primary">${texts.codesKept}</button>
</form>`
  const cookies = [await provenCookie(ctx, pending)]
  return accountPage(ctx, { title: texts.codesTitle, language, body, cookies })
}
