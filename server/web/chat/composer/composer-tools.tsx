import { createSignal, type JSX, lazy, Show, Suspense } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { useView } from '../view.js'
import { insertText } from './editing.js'
import { CharactersLeft, FormatBar } from './format-bar.js'

const EmojiPicker = lazy(async () => ({ default: (await import('../emoji/emoji-picker.js')).EmojiPicker }))

interface ComposerToolsProps {
  box(): HTMLTextAreaElement | undefined
  readonly isEmpty: boolean
  /** How many more characters a message may have; below 0 it is too long. */
  readonly left: number
  readonly isPreview: boolean
  setPreview(isPreview: boolean): void
  takeFiles(files: FileList | null, event: Event): void
}

/** The buttons below the text box. */
export function ComposerTools(props: ComposerToolsProps): JSX.Element {
  const view = useView()
  const [isPicking, setPicking] = createSignal(false)
  let chooser: HTMLInputElement | undefined
  const insert = (words: string) => {
    const box = props.box()
    if (box) insertText(box, words)
  }
  return (
    <>
      <div class="composer-tools">
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.attach')}
          title={t('composer.attach')}
          onClick={() => chooser?.click()}
        >
          <Icon name="clip" />
        </button>
        <input
          type="file"
          class="chooser"
          aria-label={t('composer.files')}
          tabIndex={-1}
          multiple
          hidden
          ref={chooser}
          onChange={event => {
            props.takeFiles(event.currentTarget.files, event)
            event.currentTarget.value = ''
            props.box()?.focus()
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.emoji')}
          title={t('composer.emoji')}
          aria-expanded={isPicking()}
          onClick={() => setPicking(!isPicking())}
        >
          <Icon name="smile" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.mention')}
          title={t('composer.mention')}
          onClick={() => insert('@')}
        >
          <Icon name="mention" />
        </button>
        <FormatBar box={() => props.box()} isDisabled={props.isPreview} />
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.snippets')}
          title={t('composer.snippets')}
          onClick={() => view.open('snippets')}
        >
          <Icon name="snippet" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.preview')}
          title={t('composer.preview')}
          aria-pressed={props.isPreview}
          disabled={props.isEmpty}
          onClick={() => props.setPreview(!props.isPreview)}
        >
          <Icon name="eye" />
        </button>
        <CharactersLeft left={props.left} />
        <div class="composer-hint">
          <span>
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintSends')} <kbd>{t('keys.names.shift')}</kbd>{' '}
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintNewLine')}
          </span>
        </div>
        <button type="submit" class="send" aria-label={t('composer.send')} disabled={props.isEmpty || props.left < 0}>
          <Icon name="send" />
        </button>
      </div>
      <Show when={isPicking()}>
        <Suspense>
          <EmojiPicker
            close={() => setPicking(false)}
            choose={emoji => {
              setPicking(false)
              insert(`:${emoji.emoji_name}: `)
            }}
          />
        </Suspense>
      </Show>
    </>
  )
}
