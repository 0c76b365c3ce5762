import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { SureButton } from '../../../look/sure-button.js'
import { useChat } from '../../chat.js'
import { EntryForm } from '../entry-form.js'
import type { Field, Written } from '../listed.js'
import { BotKey } from './bot-key.js'

/** As `GET /bots` lists it. */
interface Bot {
  readonly user_id: number
  readonly username: string
  readonly full_name: string
  readonly api_key: string
}

const outgoing = '3'

const fields: readonly Field[] = [
  { name: 'bot_name', kind: 'line', longest: 100 },
  { name: 'bot_short_name', kind: 'line', longest: 64 },
  {
    name: 'bot_type',
    kind: 'choice',
    options: () => [
      [1, () => st('bots.generic')],
      [2, () => st('bots.incoming')],
      [Number(outgoing), () => st('bots.outgoing')],
    ],
  },
  { name: 'bot_url', kind: 'line', longest: 2000, isOptional: true, isFor: written => written.bot_type === outgoing },
]

/** The user's bots: a new one with its key and a first message, new keys, and the end of a bot. */
export function Bots(): JSX.Element {
  const chat = useChat()
  const { error, attempt } = createAttempts()
  const [isAdding, setAdding] = createSignal(false)
  /** The bot whose key is shown, until the section closes or another key is. */
  const [shown, setShown] = createSignal<Bot>()
  // The cast: the operation is not among the typed ones of the page.
  const [known, { refetch }] = createResource(
    async () => (await chat.ask('GET', '/bots')).bots as unknown as readonly Bot[],
  )
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    let isDone = false
    await attempt(async () => {
      await work()
      isDone = true
      await refetch()
    })
    return isDone
  }
  const showKeyOf = async (botId: number) => {
    await refetch()
    setShown(known.latest?.find(bot => bot.user_id === botId))
  }
  const add = async ({ bot_name, bot_short_name, bot_type, bot_url }: Written): Promise<boolean> => {
    const isMade = await change(async () => {
      const { user_id } = await chat.ask('POST', '/bots', {
        full_name: bot_name,
        short_name: bot_short_name,
        bot_type: Number(bot_type),
        ...(bot_type === outgoing && bot_url && { payload_url: bot_url }),
      })
      await showKeyOf(user_id as number)
    })
    if (isMade) setAdding(false)
    return isMade
  }
  const renew = (bot: Bot) =>
    change(async () => {
      await chat.ask('POST', `/bots/${bot.user_id}/api_key/regenerate`)
      await showKeyOf(bot.user_id)
    })
  const deactivate = (bot: Bot) =>
    change(async () => {
      await chat.ask('DELETE', `/bots/${bot.user_id}`)
      if (shown()?.user_id === bot.user_id) setShown(undefined)
    })
  return (
    <Show
      when={!known.error && known.latest}
      fallback={<ErrorNotice text={(known.error as Error | undefined)?.message} />}
    >
      {bots => (
        <>
          <p class="quiet">{st('bots.meaning')}</p>
          <ul class="account-sessions">
            <For each={bots()}>
              {bot => (
                <li>
                  <span dir="auto">{bot.full_name}</span>
                  <span class="quiet">{bot.username}</span>
                  <SureButton title={st('bots.newKey')} sureTitle={st('bots.reallyNewKey')} work={() => renew(bot)} />
                  <SureButton
                    title={st('bots.deactivate')}
                    sureTitle={st('bots.reallyDeactivate')}
                    work={() => deactivate(bot)}
                  />
                </li>
              )}
            </For>
          </ul>
          <Show keyed when={shown()}>
            {bot => <BotKey id={bot.user_id} email={bot.username} apiKey={bot.api_key} />}
          </Show>
          <Show
            when={isAdding()}
            fallback={
              <p>
                <button type="button" class="button" onClick={() => setAdding(true)}>
                  {st('bots.add')}
                </button>
              </p>
            }
          >
            <EntryForm
              label={st('bots.add')}
              submit={st('bots.make')}
              fields={fields}
              written={{}}
              save={add}
              cancel={() => setAdding(false)}
            />
          </Show>
          <ErrorNotice text={error()} />
        </>
      )}
    </Show>
  )
}
