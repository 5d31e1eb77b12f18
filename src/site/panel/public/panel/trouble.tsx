import { text } from './formats.ts';

/** Says why a view is out of date. */
export const Trouble = ({ message, retry }: { message: string; retry: () => unknown }) =>
  message === '' ? null : (
    <div class="notice row spread" role="alert">
      <p>{message}</p>
      <button type="button" class="button" onClick={retry}>
        {text('retry')}
      </button>
    </div>
  );
