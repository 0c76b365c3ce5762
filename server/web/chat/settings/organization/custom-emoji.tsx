import { createSignal, For, type JSX, Show } from 'solid-js'
import type { CustomEmoji as Emoji } from '../../../../../shared/resources/custom-emoji.js'
import { t } from '../../../language/language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { activeEmoji } from '../../../state/emoji.js'
import { isAdministrator } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { addEmoji, mayAddEmoji } from '../../emoji/change-emoji.js'
import { EmojiSign } from '../../emoji/emoji-sign.js'
import { FileField } from '../../file-field.js'
import { nameOf } from '../../names.js'

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** The custom emoji of the organization, with a form that adds one. */
export function CustomEmoji(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [chosen, setChosen] = createSignal('')
  const add = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const element = event.currentTarget
    const form = new FormData(element)
    const name = String(form.get('name')).trim()
    if (!(await attempt(() => addEmoji(name, form.get('picture') as File)))) return
    element.reset()
    setChosen('')
  }
  const remove = (emoji: Emoji) => void attempt(() => chat.ask('DELETE', `/realm/emoji/${emoji.name}`))
  return (
    <>
      <Show when={mayAddEmoji(chat)}>
        <form class="dialog-form emoji-form" onSubmit={add}>
          <label class="field">
            {t('words.name')}
            <input class="input" name="name" required maxLength={100} placeholder={t('customEmoji.example')} />
          </label>
          <FileField
            title={t('customEmoji.picture')}
            chosen={chosen()}
            name="picture"
            accept={types}
            required
            onChange={event => setChosen(event.currentTarget.files?.[0]?.name ?? '')}
          />
          <button type="submit" class="button primary" disabled={isBusy()}>
            {t('customEmoji.add')}
          </button>
        </form>
      </Show>
      <ErrorNotice text={error()} />
      <ul class="choices" aria-label={t('customEmoji.list')}>
        <For each={activeEmoji(chat.state)} fallback={<li>{t('customEmoji.none')}</li>}>
          {emoji => <Row emoji={emoji} remove={() => remove(emoji)} />}
        </For>
      </ul>
    </>
  )
}

function Row(props: { emoji: Emoji; remove(): void }): JSX.Element {
  const chat = useChat()
  const mayRemove = () => isAdministrator(chat.state) || props.emoji.author_id === chat.state.user_id
  const author = () => props.emoji.author_id
  return (
    <li class="choice emoji-row">
      <EmojiSign custom={props.emoji} character="" />
      <span class="choice-words">
        <strong>{`:${props.emoji.name}:`}</strong>
        <small>
          <Show when={author()}>{id => t('customEmoji.addedBy', nameOf(chat.state, id()))}</Show>
        </small>
      </span>
      <Show when={mayRemove()}>
        <button
          type="button"
          class="button"
          aria-label={t('words.removeOne', props.emoji.name)}
          onClick={() => props.remove()}
        >
          {t('words.remove')}
        </button>
      </Show>
    </li>
  )
}
