import { createSignal, For, type JSX } from 'solid-js'
import { limits } from '../../../../shared/limits.js'
import { t } from '../../language/language.js'
import { st } from '../../language/settings-language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import type { Emoji } from '../../state/reacting.js'
import { laterTimes, zoneOf } from '../../state/zoned-time.js'
import { useChat } from '../chat.js'
import { createEmojiPicking } from '../emoji/emoji-picking.js'
import { momentText } from '../moment-text.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' }

/** The user's own status: a text, an emoji, or both. */
export function OwnStatus(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = chat.state.user_status[chat.state.user_id]
  const [text, setText] = createSignal(now?.status_text ?? '')
  const [emoji, setEmoji] = createSignal<Emoji>({
    emoji_name: now?.emoji_name ?? '',
    emoji_code: now?.emoji_code ?? '',
    reaction_type: now?.reaction_type ?? '',
  })
  const [end, setEnd] = createSignal<number | null>(now?.expires_at ?? null)
  const ends = [
    ...(now?.expires_at === undefined ? [] : [now.expires_at]),
    ...laterTimes(Date.now(), zoneOf(chat.state)).map(({ at }) => Math.floor(at / 1000)),
  ]
  const picking = createEmojiPicking(setEmoji)
  const { error, attempt } = createAttempts()
  const save = (status_text: string, { emoji_name, ...rest }: Emoji) =>
    void attempt(async () => {
      await chat.ask('POST', '/users/me/status', {
        status_text,
        emoji_name,
        expires_at: end(),
        ...(emoji_name !== '' && rest),
      })
      view.open(undefined)
    })
  return (
    <Dialog title={t('ownStatus.title')}>
      <form
        class="dialog-form"
        onSubmit={event => {
          event.preventDefault()
          save(text(), emoji())
        }}
      >
        <label class="field">
          {t('ownStatus.text')}
          <input
            class="input"
            dir="auto"
            maxLength={limits.status_text_length}
            autofocus
            value={text()}
            onInput={event => setText(event.currentTarget.value)}
          />
        </label>
        <div class="status-emoji">
          <button type="button" class="button" aria-expanded={picking.isOpen()} onClick={picking.toggle}>
            {emoji().emoji_name === ''
              ? t('ownStatus.chooseEmoji')
              : t('ownStatus.emoji', emoji().emoji_name.replaceAll('_', ' '))}
          </button>
          {picking.picker()}
        </div>
        <label class="field">
          {st('quiet.statusEnds')}
          <select
            class="input"
            onChange={({ currentTarget }) => setEnd(currentTarget.value === '' ? null : Number(currentTarget.value))}
          >
            <option value="">{st('quiet.statusStays')}</option>
            <For each={ends}>
              {seconds => (
                <option value={seconds} selected={seconds === end()}>
                  {momentText(chat.state, seconds * 1000)}
                </option>
              )}
            </For>
          </select>
        </label>
        <ErrorNotice text={error()} />
        <div class="status-buttons">
          <button
            type="button"
            class="button"
            onClick={() => {
              setEnd(null)
              save('', noEmoji)
            }}
          >
            {t('ownStatus.clear')}
          </button>
          <button type="submit" class="button primary">
            {t('words.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
