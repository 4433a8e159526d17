Feature: Requests

  @aep.request.post @must
  Rule: A POST is answered with the stream

    Scenario: Posting a message
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {}}
        """
      Then the request is served

  @aep.request.messages-only @must
  Rule: Messages are enough

    Scenario: No thread and no context
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}]}
        """
      Then the request is served
      And the response ends with done

    Scenario: A context and no thread
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {"locale": "nb"}}
        """
      Then the request is served

    @threads
    Scenario: A thread and no context
      Given this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}]}
        """
      And the request has been answered
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "By train"}]}], "threadId": "$thread"}
        """
      Then the request is served

  @aep.request.messages-required @must
  Rule: There are messages

    Scenario Outline: A request of <body>
      When a request with the body <body>
      Then the request is refused with 400

      Examples:
        | body                                         |
        | "{}"                                         |
        | "{\"context\": {}}"                          |
        | "{\"message\": \"Plan the trip\"}"           |

  @aep.request.messages-array @must
  Rule: Messages are messages

    Scenario Outline: Messages that are <body>
      When a request with the body <body>
      Then the request is refused with 400

      Examples:
        | body                                         |
        | "{\"messages\": \"Plan the trip\"}"          |
        | "{\"messages\": null}"                       |
        | "{\"messages\": {\"0\": \"Plan the trip\"}}" |
        | "{\"messages\": [7]}"                        |
        | "{\"messages\": 7}"                          |
        | "{\"messages\": [null]}"                     |
        | "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"To Bergen\"}]}, null]}" |

  @aep.request.malformed @must
  Rule: What is no JSON object is no request

    Scenario Outline: A body of <body>
      When a request with the body <body>
      Then the request is refused

      Examples:
        | body                                                       |
        | ""                                                         |
        | "{\"messages\": ["                                         |
        | "Plan the trip"                                            |
        | "[]"                                                       |
        | "null"                                                     |
        | "\"messages\""                                             |
        | "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"To Bergen\"}]}]} by train" |

  @aep.request.other-blocks @should
  Rule: A block that the server can't read is refused

    Scenario: A block of a type that nobody knows
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "x-streamcert-hologram", "data": "AAAA"}]}]}
        """
      Then the request is refused with 400

  @aep.request.too-large @must @limits
  Rule: A message has a largest size

    @no-transcript:megabytes-of-text
    Scenario: A message beyond the largest size
      When a request with a message beyond the largest size
      Then the request is refused with 413

    @no-transcript:megabytes-of-letters
    Scenario Outline: A message beyond the largest size, <how>
      When a request with a message beyond the largest size, <how>
      Then the request is refused with 413

      Examples:
        | how                    |
        | in letters of two bytes |
        | in two blocks          |
        | behind another one     |

    @no-transcript:megabytes-of-letters-that-fit
    Scenario Outline: A message of the largest size, <how>
      When a request with a message of the largest size, <how>
      Then the request is served

      Examples:
        | how                     |
        | in letters of two bytes |
        | behind another one      |

    @no-transcript:megabytes-of-message
    Scenario: A message of the largest size
      When a request with a message of the largest size
      Then the request is served
