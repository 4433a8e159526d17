Feature: Requests

  @helix.http.get @must
  Rule: A stream is read with GET

    Scenario: A GET with nothing but the URL
      Given a stream that holds events 1 to 2
      When the client attaches
      Then the answer is 200
      And the client receives events 1 to 2

  @helix.http.unknown-stream @must
  Rule: A stream that never was is not found

    Scenario: Reading a stream that never was
      When a client attaches to a stream that never was
      Then the answer is 404
      And the answer is no event stream

    Scenario: Resuming a stream that never was
      When a client resumes a stream that never was
      Then the answer is 404
      And the answer is no event stream

    Scenario: Resuming by query a stream that never was
      When a client resumes a stream that never was by query
      Then the answer is 404
      And the answer is no event stream

    Scenario Outline: Resuming a stream that never was with the cursor "<cursor>"
      When a client resumes a stream that never was with the cursor "<cursor>" in the <place>
      Then the answer is 400 or 404
      And the answer is no event stream

      Examples:
        | cursor | place  |
        | abc    | header |
        | -1     | query  |

    Scenario Outline: Reading a stream called <name> that never was
      When a client attaches to a stream called "<name>" that never was
      Then the answer is 404
      And the answer is no event stream

      Examples:
        | name        |
        | constructor |
        | __proto__   |
        | toString    |

  @helix.http.error-body @should
  Rule: An error explains itself in JSON

    Scenario: The body of a 404
      When a client attaches to a stream that never was
      Then the answer is 404
      And no exchange of this scenario breaks this rule

  @helix.http.version @should
  Rule: HTTP/2 carries a stream as HTTP/1.1 does

    Scenario: Reading and following a stream over HTTP/2
      Given a stream that holds events 1 to 3
      And the client attaches over HTTP/2
      When the writer writes events 4 to 5
      Then the client receives events 1 to 5
      And nothing else reaches the client

  @helix.http.cors @should @cors
  Rule: A page of another origin can read a stream

    Scenario: A request with an Origin
      Given a stream that holds event 1
      When the client attaches from another origin
      Then the answer allows the origin
