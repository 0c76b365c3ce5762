import { onCleanup } from 'solid-js'

type Events<Target> = Target extends Window
  ? WindowEventMap
  : Target extends Document
    ? DocumentEventMap
    : Record<string, Event>

/** Listens as long as the component is there in which this is called. */
export function listen<Target extends EventTarget, Type extends keyof Events<Target> & string>(
  target: Target,
  type: Type,
  listener: (event: Events<Target>[Type]) => unknown,
  options?: AddEventListenerOptions,
): void {
  target.addEventListener(type, listener as (event: Event) => unknown, options)
  onCleanup(() => target.removeEventListener(type, listener as (event: Event) => unknown, options))
}
