# frozen_string_literal: true

require "set"
require_relative "lending/policy"
load "config/holidays.rb"

# Everything that the library lends.
module Lending
  autoload :Reminder, "lending/reminder"

  # Days a book may stay out.
  LOAN_DAYS = 21
  DEFAULT_POLICY = Policy.new(LOAN_DAYS)

  # One copy of a book.
  Copy = Struct.new(:isbn, :shelf) do
    def label = "#{isbn}/#{shelf}"
  end

  OverdueError = Class.new(StandardError)

  def self.open(path)
    shelf = Shelf.new(path)
    shelf.scan
    shelf
  end

  # Counts what happens to a record.
  module Audited
    def audit(event, *details, at: Time.now, **extra, &block)
      journal.write(event, details, extra)
      block.call(at) if block
    end
  end

  # Keeps copies and knows who has them.
  class Shelf < Storage::Base
    # The mixins come first.
    include Audited
    extend Enumerable
    prepend Lending::Locking

    attr_reader :path, :loans
    attr_writer :policy

    @@opened = 0

    # Opens the shelf at a path.
    def initialize(path, policy = DEFAULT_POLICY)
      super(path)
      @path = path
      @policy = policy
      @index = Index.new(path)
      @loans = load_loans(path)
    end

    class << self
      # Finds a shelf by its name.
      def find(name)
        lookup name
      end
    end

    def Shelf.reset
      @@opened = 0
    end

    # Lends a copy to a reader.
    def lend(copy, reader:)
      raise OverdueError, "too late" unless reader.trusted?
      loan = Loan.new(copy, reader)
      first, *others = waiting_for(copy)
      notify first, about: loan
      others.each do |person, (street, town)|
        loan = person.loan
        post(street, town) { |letter| letter.attach(loan) }
      end
      loan.due = due_date(loan)
      audit :lent
      persist
    rescue Storage::Full, IOError => error
      report(error)
    ensure
      @index.flush
    end

    def policy=(policy)
      @policy = policy
    end

    def each(&)
      loans.each(&)
    end

    def describe(entry)
      format = ->(value) { value.to_s.strip }
      case entry
      in { title:, year: Integer => year } then format.call(title)
      in [Copy => copy, *] then copy.label
      in other then warn(other)
      end
    end

    alias borrow lend
    alias_method :give, :lend
    define_method(:size) { @loans.size }

    protected

    def waiting_for(copy) = queue.fetch(copy.isbn) { [] }

    private

    attr_accessor :queue

    def persist
      database&.execute(<<~SQL)
        UPDATE loans SET due = date('now')
      SQL
      $stdout.puts(Lending::LOAN_DAYS)
    end
  end
end

%w[loan return].each do |part|
  require "library/#{part}"
  define_method("#{part}_count") { counts[part] }
end
