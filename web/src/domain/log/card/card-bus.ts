/** Events between the cards of a board: crosshair position and zoomed range. */
export interface CardBus<T> {
  /** Send an event to the other cards; null ends it. */
  tell(from: string, news: T | null): void;
  /** Subscribe a card to the events of the others. @returns a function that unsubscribes */
  listen(card: string, listener: (news: T | null) => void): () => void;
}

export function createCardBus<T>(): CardBus<T> {
  const listeners = new Map<string, (news: T | null) => void>();
  let last: T | null = null;
  return {
    tell(from, news) {
      if (news === null && last === null) return;
      last = news;
      for (const [card, listener] of listeners) if (card !== from) listener(news);
    },
    listen(card, listener) {
      listeners.set(card, listener);
      return () => {
        if (listeners.get(card) === listener) listeners.delete(card);
      };
    },
  };
}
