import { ApiError } from '../../../shared/errors.js'
import { checkedEmail, checkedFullName } from '../../actions/accounts/account-details.js'
import { isDomain } from '../../actions/organization-lists/domains.js'
import { readInvited } from '../../actions/set-up/invited.js'
import { type SetUp, setUp } from '../../actions/set-up/set-up.js'
import { domainOf, waysToJoin } from '../../actions/set-up/ways-to-join.js'
import { organizationTexts } from '../../actions/settings/organization-rules.js'
import { channelName } from '../../api/channels/params.js'
import { requireStrongPassword } from '../../auth/password-strength.js'
import { isEmpty, isSetupCode } from '../../auth/setup-code.js'
import { isLoopback } from '../../config/addresses.js'
import { addressRefusal } from '../../policies/joining.js'
import { externalMethods } from '../../presenters/external-methods.js'
import { accountPage, type PageAnswer } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { finishSignIn } from './finish-sign-in.js'
import { type Html, html } from './html.js'
import { type Problem, setupTexts } from './setup-texts.js'

const mostChannels = 20

/** The page behind the setup link, which makes the owner of an empty organization (docs/administration.md#the-first-account). */
export const setupPage: AccountPage = {
  pattern: '/setup/:code/',
  operation: 'set_up',
  get(call) {
    requireLink(call)
    return shown(call, new URLSearchParams({ channels: setupTexts[call.language].firstChannels }))
  },
  async post(call, form) {
    requireLink(call)
    const wanted = await read(call, form)
    if ('problem' in wanted) return shown(call, form, wanted)
    const owner = await setUp(call.ctx, wanted, 'website')
    return finishSignIn(call, owner, { next: '/' }, 'password')
  },
}

/** The link is gone as soon as there is an account. @throws {ApiError} NOT_FOUND */
function requireLink({ ctx: { directory }, values: [code = ''] }: PageCall): void {
  if (!isEmpty(directory) || !isSetupCode(directory, code))
    throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
}

/** The first thing that is wrong in the form. */
interface Refused {
  readonly problem: Problem
  /** Those of the invitations that are refused. */
  readonly addresses?: readonly string[]
}

/** What the form says, or the first thing that is wrong in it. */
async function read({ ctx, language }: PageCall, form: URLSearchParams): Promise<SetUp | Refused> {
  const field = (name: string) => form.get(name) ?? ''
  const name = organizationTexts.name.safeParse(field('organization'))
  if (!name.success) return { problem: 'organization' }
  const fullName = await accepted(() => checkedFullName(field('full_name')))
  if (fullName === undefined) return { problem: 'fullName' }
  const email = await accepted(() => checkedEmail(field('email')))
  if (email === undefined || addressRefusal(ctx.directory, email)) return { problem: 'email' }
  const password = field('password')
  const strong = await accepted(() => requireStrongPassword(password, [email, fullName]).then(() => true))
  if (!strong) return { problem: 'password' }
  const channels = channelNames(field('channels'))
  if (!channels) return { problem: 'channels' }
  const joining = waysToJoin.find(way => way === form.get('joining')) ?? 'invitation'
  if (joining === 'domain' && !isDomain(domainOf(email))) return { problem: 'joining' }
  const invited = await accepted(() => readInvited(ctx.directory, field('invited'), { email, joining }))
  if (!invited || invited.refused.length > 0) return { problem: 'invited', addresses: invited?.refused ?? [] }
  const { addresses } = invited
  return { organizationName: name.data, fullName, email, password, joining, channels, invited: addresses, language }
}

/** Undefined: the text was refused. */
async function accepted<T>(check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Undefined: one of the names is refused, or is there twice. */
function channelNames(given: string): string[] | undefined {
  const parts = given.split(',').filter(part => part.trim() !== '')
  const names = parts.flatMap(part => channelName.safeParse(part).data ?? [])
  const distinct = new Set(names.map(name => name.toLowerCase()))
  return names.length === parts.length && distinct.size === names.length && names.length <= mostChannels
    ? names
    : undefined
}

function shown(call: PageCall, form: URLSearchParams, refused?: Refused): PageAnswer {
  const { ctx, language } = call
  const texts = setupTexts[language]
  const value = (name: string) => form.get(name) ?? ''
  const notice = (of: Problem) => of === refused?.problem && problemNotice(call, refused)
  const joining = form.get('joining') ?? waysToJoin[0]
  const body = html`<p class="quiet">${texts.intro}</p>
<form method="post">
<label class="field">${texts.organization}
<input class="input" name="organization" value="${value('organization')}" maxlength="40" required>${notice('organization')}</label>
<label class="field">${texts.fullName}
<input class="input" name="full_name" value="${value('full_name')}" autocomplete="name" required>${notice('fullName')}</label>
<label class="field">${texts.email}
<input class="input" type="email" name="email" value="${value('email')}" autocomplete="username" required spellcheck="false">${notice('email')}</label>
<label class="field">${texts.password}
<input class="input" type="password" name="password" autocomplete="new-password" required><span class="hint">${texts.passwordHint}</span>${notice('password')}</label>
${addressAndMethods(call)}
<fieldset class="stack"><legend>${texts.joining}</legend>
${waysToJoin.map(
  way =>
    html`<label class="check"><input type="radio" name="joining" value="${way}"${way === joining && html` checked`}> ${texts.ways[way]}</label>`,
)}
${notice('joining')}</fieldset>
<label class="field">${texts.channels}
<input class="input" name="channels" value="${value('channels')}"><span class="hint">${texts.channelsHint}</span>${notice('channels')}</label>
<label class="field">${texts.invited}
<textarea class="input" name="invited" rows="3" spellcheck="false">${value('invited')}</textarea><span class="hint">${texts.invitedHint}</span>${notice('invited')}</label>
<button class="button primary">${texts.submit}</button>
</form>`
  return accountPage(ctx, { title: texts.title, language, body })
}

const problemNotice = ({ language }: PageCall, { problem, addresses = [] }: Refused): Html =>
  html`<span class="notice bad" role="alert">${setupTexts[language].problems[problem]}${addresses.map(one => html`<br>${one}`)}</span>`

/** What the settings of the server have decided. */
function addressAndMethods({ ctx, language }: PageCall): Html {
  const texts = setupTexts[language]
  const isAlone = isLoopback(new URL(ctx.publicUrl).hostname.replace(/^\[|\]$/g, ''))
  const ldap = ctx.config.signInMethods.includes('LDAP') ? ['LDAP'] : []
  const methods = [texts.password, ...ldap, ...externalMethods(ctx).map(method => method.display_name)]
  return html`<label class="field">${texts.address}
<input class="input" value="${ctx.publicUrl}" readonly><span class="hint">${texts.addressHint}</span>
${isAlone && html`<span class="notice">${texts.loopback}</span>`}</label>
<label class="field">${texts.methods}
<input class="input" value="${methods.join(', ')}" readonly><span class="hint">${texts.methodsHint}</span></label>`
}
