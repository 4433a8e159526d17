/** An error that is answered with a status. Its message quotes nothing of the request. */
export const refusal = (status, message) => Object.assign(new Error(message), { status });
