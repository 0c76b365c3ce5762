import { expiredLink } from '../../actions/accounts/expired-link.js'
import { isPasswordLink, requestPasswordReset, setPasswordByKey } from '../../actions/users/own-password-reset.js'
import { isHttps } from '../../config/addresses.js'
import { accountPage, type PageAnswer, redirectTo } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { html } from './html.js'
import { passwordTexts } from './password-texts.js'

const place = '/accounts/password/reset/'

/** Where a person gives the address of its account to get a link for a new password. */
export const passwordResetPage: AccountPage = {
  pattern: place,
  operation: 'password_reset',
  get({ ctx, language, request }) {
    const texts = passwordTexts[language]
    const body = html`<p>${texts.ask}</p>
<form method="post" action="${place}">
<label class="field">${texts.email}
<input class="input" type="email" name="email" value="${request.query.get('email') ?? ''}" autocomplete="username" required spellcheck="false"></label>
<button class="button primary">${texts.send}</button>
</form>`
    return accountPage(ctx, { title: texts.title, language, body })
  },
  async post({ ctx, request, language }, form) {
    await requestPasswordReset(ctx, { email: form.get('email') ?? '', clientAddress: request.address, language })
    return redirectTo(`${place}done/`)
  },
}

const messagePage = (pattern: `/${string}`, operation: string, kind: 'sent' | 'done'): AccountPage => ({
  pattern,
  operation,
  get({ ctx, language }) {
    const texts = passwordTexts[language]
    const body = html`<p>${texts[kind]}</p><p><a href="/login/">${texts.signIn}</a></p>`
    return accountPage(ctx, { title: texts[`${kind}Title`], language, body })
  },
})

export const passwordMailedPage = messagePage(`${place}done/`, 'password_reset_requested', 'sent')
export const passwordDonePage = messagePage('/accounts/password/done/', 'password_reset_done', 'done')

// In place of the key in the address of the form: the key itself is in a cookie, so that it does not stay in the history of the browser.
const form = 'set-password'
const cookieSeconds = 3600

/** Where the link of the mail leads, and then the form for the new password. */
export const newPasswordPage: AccountPage = {
  pattern: `${place}:user_id/:key/`,
  operation: 'new_password',
  async get(call) {
    const { userId, key } = partsOf(call)
    // Not used up: a mail program may look whether the link exists.
    if (!(await isPasswordLink(call.ctx, userId, key))) throw expiredLink()
    if (call.values[1] === form) return shown(call, false)
    return redirectTo(`${place}${userId}/${form}/`, [cookieOf(call, userId, key)])
  },
  async post(call, fields) {
    const { userId, key } = partsOf(call)
    const [first, second] = [fields.get('new_password1') ?? '', fields.get('new_password2') ?? '']
    const isSet = first === second && (await setPasswordByKey(call.ctx, { userId, key }, first))
    if (isSet) return redirectTo('/accounts/password/done/', [cookieOf(call, userId, '')])
    if (!(await isPasswordLink(call.ctx, userId, key))) throw expiredLink()
    return shown(call, true)
  },
}

function partsOf({ request, values: [id = '', given = ''] }: PageCall): { userId: number; key: string } {
  if (!/^[1-9]\d{0,9}$/.test(id)) throw expiredLink()
  return { userId: Number(id), key: given === form ? (request.cookieNamed(cookieName) ?? '') : given }
}

const cookieName = 'password_key'

function cookieOf({ ctx }: PageCall, userId: number, key: string): string {
  const life = key === '' ? 0 : cookieSeconds
  const secure = isHttps(ctx) ? '; Secure' : ''
  return `${cookieName}=${key}; Path=${place}${userId}/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`
}

function shown({ ctx, language, values: [userId = ''] }: PageCall, isRefused: boolean): PageAnswer {
  const texts = passwordTexts[language]
  const body = html`<form method="post" action="${`${place}${userId}/${form}/`}">
<label class="field">${texts.first}
<input class="input" type="password" name="new_password1" autocomplete="new-password" required maxlength="100"></label>
<label class="field">${texts.second}
<input class="input" type="password" name="new_password2" autocomplete="new-password" required maxlength="100"></label>
<p class="${isRefused ? 'notice bad' : 'hint'}">${isRefused ? texts.refused : texts.hint}</p>
<button class="button primary">${texts.set}</button>
</form>`
  return accountPage(ctx, { title: texts.formTitle, language, body })
}
